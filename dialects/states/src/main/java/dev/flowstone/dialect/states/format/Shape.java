package dev.flowstone.dialect.states.format;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.regex.Pattern;

/** What a value of the format looks like. Any text may hold templates where its description says so. */
sealed interface Shape {
    /** A text of at most so many characters; the pattern, if it isn't empty, holds for all of it. */
    record Text(int most, String pattern, String example) implements Shape {
        public Text {
            requireNonNull(pattern);
            requireNonNull(example);
        }

        boolean fits(String text) {
            return pattern.isEmpty() || Pattern.matches(pattern, text);
        }
    }

    /** One of a few texts. */
    record Word(List<String> allowed) implements Shape {
        public Word {
            allowed = List.copyOf(allowed);
        }
    }

    /** A whole number. */
    record Whole(long least, long most) implements Shape {}

    /** A number. */
    record Decimal(double least, double most) implements Shape {}

    /** True or false. */
    record Flag() implements Shape {}

    /** Any JSON value: a template or a literal. */
    record Anything() implements Shape {}

    /** Any object, its members not looked at. */
    record AnyObject() implements Shape {}

    /** A list. */
    record Items(Shape each, int least, int most) implements Shape {
        public Items {
            requireNonNull(each);
        }
    }

    /** An object whose members are named by the author. */
    record Named(Shape each, int most) implements Shape {
        public Named {
            requireNonNull(each);
        }
    }

    /** An object of a kind in the table. */
    record Ref(String kind) implements Shape {
        public Ref {
            requireNonNull(kind);
        }
    }

    /** One of these, told apart by its JSON type. */
    record Either(List<Shape> shapes) implements Shape {
        public Either {
            shapes = List.copyOf(shapes);
        }
    }
}
