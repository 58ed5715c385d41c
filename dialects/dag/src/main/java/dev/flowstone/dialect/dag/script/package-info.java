/** The conditions and templates of a definition: whether the expression language takes them, and what they read. */
@NullMarked
package dev.flowstone.dialect.dag.script;

import org.jspecify.annotations.NullMarked;
