@NullMarked
package dev.flowstone.triggers.webhook;

import org.jspecify.annotations.NullMarked;
