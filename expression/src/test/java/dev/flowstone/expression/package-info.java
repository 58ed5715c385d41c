@NullMarked
package dev.flowstone.expression;

import org.jspecify.annotations.NullMarked;
