@NullMarked
package dev.flowstone.triggers.condition;

import org.jspecify.annotations.NullMarked;
