package dev.flowstone.sdk.worker;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A parameter of an {@link Action} that is one member of the input. A task whose input doesn't have it, or has another type there, fails for
 * good ({@code INPUT_MISMATCH}); an {@link java.util.Optional} may be absent.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Input {
    /** The member's name. */
    String value();
}
