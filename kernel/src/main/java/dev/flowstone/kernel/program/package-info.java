/**
 * What a workflow compiles to: an immutable graph of nodes and edges in a tree of scopes, addressed by the hash of its
 * canonical JSON. Every dialect compiles to this and to nothing else; nothing here knows a dialect.
 */
@NullMarked
package dev.flowstone.kernel.program;

import org.jspecify.annotations.NullMarked;
