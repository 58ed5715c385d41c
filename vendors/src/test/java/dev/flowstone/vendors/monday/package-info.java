@NullMarked
package dev.flowstone.vendors.monday;

import org.jspecify.annotations.NullMarked;
