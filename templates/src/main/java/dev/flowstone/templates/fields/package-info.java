/** The form that asks for a template's answers, and what answers have to satisfy. */
@NullMarked
package dev.flowstone.templates.fields;

import org.jspecify.annotations.NullMarked;
