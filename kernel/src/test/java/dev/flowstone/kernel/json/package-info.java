@NullMarked
package dev.flowstone.kernel.json;

import org.jspecify.annotations.NullMarked;
