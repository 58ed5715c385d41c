@NullMarked
package dev.flowstone.expression.schedule;

import org.jspecify.annotations.NullMarked;
