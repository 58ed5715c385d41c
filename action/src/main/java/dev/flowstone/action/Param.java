package dev.flowstone.action;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What its type alone doesn't say of a component of a record of parameters or outputs. A component is required unless it is an
 * {@link java.util.Optional}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Param {
    /** For people. */
    String value() default "";

    /** Of a number. */
    double min() default Double.NEGATIVE_INFINITY;

    /** Of a number. */
    double max() default Double.POSITIVE_INFINITY;

    /** Of a text in characters, of a list in items. */
    int minLength() default 0;

    /** Of a text in characters, of a list in items. */
    int maxLength() default Integer.MAX_VALUE;

    /** Of a text: RE2 syntax, found anywhere unless it is anchored. */
    String pattern() default "";
}
