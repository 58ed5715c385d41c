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

    /**
     * A time of this kind, or, if it may be one, a template of it. The reader looks at the form roughly and judges the value
     * later, with a message of its own; the schema says as much as a pattern can.
     */
    record Time(Of of, boolean template) implements Shape {
        /** What it is: a duration, one that isn't nothing, a date and time with an offset. */
        enum Of {
            DURATION,
            SPAN,
            INSTANT
        }

        public Time {
            requireNonNull(of);
        }

        /** As what the reader takes it. */
        Text text() {
            int most = template ? 4_000 : 100;
            return switch (of) {
                case DURATION, SPAN ->
                    template ? new Text(most, "(?s)P.+|.*\\{\\{.*", "PT1H30M") : new Text(most, "P.+", "PT5M");
                case INSTANT -> new Text(most, "", "2027-01-31T09:00:00+01:00");
            };
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
