@NullMarked
package dev.flowstone.kernel.schedule;

import org.jspecify.annotations.NullMarked;
