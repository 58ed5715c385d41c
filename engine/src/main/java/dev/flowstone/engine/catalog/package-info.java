/**
 * The catalog of connectors and actions: what the nodes of a deployment can do, as each says when it starts, for people, editors and
 * checks. Of one id the newest version that a node has now is shown, and the newest that any ever had where none has it now: so a node of
 * an older release beside a newer one takes nothing back. What an operator turns off stays off until somebody turns it on.
 */
@NullMarked
package dev.flowstone.engine.catalog;

import org.jspecify.annotations.NullMarked;
