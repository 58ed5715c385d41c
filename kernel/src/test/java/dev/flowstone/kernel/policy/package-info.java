@NullMarked
package dev.flowstone.kernel.policy;

import org.jspecify.annotations.NullMarked;
