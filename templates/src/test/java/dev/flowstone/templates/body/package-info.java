@NullMarked
package dev.flowstone.templates.body;

import org.jspecify.annotations.NullMarked;
