package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonString;
import java.util.List;

/** One link of a {@link Chain}: a member, an element or a method call. */
sealed interface Link {
    /** Whether the chain ends in undefined if there is nothing to follow this link on ({@code ?.}). */
    boolean optional();

    Object follow(Object target, Frame frame);

    /** {@code .name} or {@code ['name']}. */
    record Named(String name, boolean optional, int position) implements Link {
        @Override
        public Object follow(Object target, Frame frame) {
            return Member.of(target, name, position);
        }
    }

    /** {@code [0]}. */
    record Indexed(int index, boolean optional, int position) implements Link {
        @Override
        public Object follow(Object target, Frame frame) {
            return Member.at(target, index, position);
        }
    }

    /** {@code [expression]}. */
    record Computed(Node key, boolean optional, int position) implements Link {
        @Override
        public Object follow(Object target, Frame frame) {
            return Member.of(target, Coercion.name(key.evaluate(frame), frame.meter(), position), position);
        }
    }

    /** {@code .method(arguments)}. */
    record Called(Methods method, List<Node> arguments, boolean optional, int position) implements Link {
        @Override
        public Object follow(Object target, Frame frame) {
            return method.call(target, Arguments.evaluate(arguments, frame, position));
        }
    }

    /** {@code .filter(item => …)} and the other methods that take an arrow function. */
    record Iterated(Iteration iteration, Arrow arrow, boolean optional, int position) implements Link {
        @Override
        public Object follow(Object target, Frame frame) {
            return iteration.over(Iteration.items(target, iteration, position), this, frame);
        }

        /** The arrow's answer for one element. */
        Object answer(JsonArray array, int index, Frame frame) {
            frame.meter().step();
            int given = arrow.slots().size();
            if (given > 0) {
                frame.local(arrow.slots().get(0), array.items().get(index));
            }
            if (given > 1) {
                frame.local(arrow.slots().get(1), JsonNumber.of(index));
            }
            if (given > 2) {
                frame.local(arrow.slots().get(2), array);
            }
            return arrow.body().evaluate(frame);
        }
    }

    /** {@code .match(/expression/)}. */
    record Matched(LinearRegex regex, boolean optional, int position) implements Link {
        @Override
        public Object follow(Object target, Frame frame) {
            if (target instanceof JsonString text) {
                return regex.match(text.value(), frame.meter(), position);
            }
            throw Fault.type("Only a string has 'match', not " + Kind.of(target) + ".", position);
        }
    }
}
