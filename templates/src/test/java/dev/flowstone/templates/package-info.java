@NullMarked
package dev.flowstone.templates;

import org.jspecify.annotations.NullMarked;
