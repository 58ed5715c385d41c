/** Slack's Web API: answers are 200 with {@code ok}, and what is wrong is a word. */
@NullMarked
package dev.flowstone.vendors.slack;

import org.jspecify.annotations.NullMarked;
