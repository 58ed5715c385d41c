/** What a workflow demands of the payload that starts it: its {@code triggerSchema}, a JSON Schema. */
@NullMarked
package dev.flowstone.dialect.dag.trigger;

import org.jspecify.annotations.NullMarked;
