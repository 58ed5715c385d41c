package dev.flowstone.sdk.worker;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method that does tasks of this action, of an object that is given to {@link Worker.Builder#handleAll}. Its parameters, in any order
 * and each if it is wanted: a {@link Task}; either the input as a whole, or members of it, each marked with {@link Input}. What it returns is
 * the output; nothing if it returns nothing. What it throws means what it means of a {@link TaskHandler}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Action {
    /** The action's name, such as {@code orders.ship}. */
    String value();
}
