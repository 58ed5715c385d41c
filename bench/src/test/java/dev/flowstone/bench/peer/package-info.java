@NullMarked
package dev.flowstone.bench.peer;

import org.jspecify.annotations.NullMarked;
