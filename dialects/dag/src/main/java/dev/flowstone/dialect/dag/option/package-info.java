/** The dialect's defaults and limits, each configurable. */
@NullMarked
package dev.flowstone.dialect.dag.option;

import org.jspecify.annotations.NullMarked;
