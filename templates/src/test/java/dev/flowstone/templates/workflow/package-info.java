@NullMarked
package dev.flowstone.templates.workflow;

import org.jspecify.annotations.NullMarked;
