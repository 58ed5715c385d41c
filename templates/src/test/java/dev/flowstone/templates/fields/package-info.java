@NullMarked
package dev.flowstone.templates.fields;

import org.jspecify.annotations.NullMarked;
