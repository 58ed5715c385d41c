/** What is allowed and yet likely to hurt: rules of thumb, each with an id. */
@NullMarked
package dev.flowstone.dialect.states.lint;

import org.jspecify.annotations.NullMarked;
