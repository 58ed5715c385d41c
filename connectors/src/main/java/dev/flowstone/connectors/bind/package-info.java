/** Parameters of actions: from a record to its JSON Schema, and from rendered JSON to a record, every fault by its place (ADR 0046). */
@NullMarked
package dev.flowstone.connectors.bind;

import org.jspecify.annotations.NullMarked;
