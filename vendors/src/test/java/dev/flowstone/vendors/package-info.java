@NullMarked
package dev.flowstone.vendors;

import org.jspecify.annotations.NullMarked;
