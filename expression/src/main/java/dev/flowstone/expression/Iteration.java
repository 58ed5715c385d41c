package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** The array methods that take an arrow function. The elements are fixed before the first call: none of these can grow. */
enum Iteration {
    SOME("some") {
        @Override
        Object over(JsonArray array, Link.Iterated call, Frame frame) {
            return JsonBoolean.of(firstThatIs(true, array, call, frame) >= 0);
        }
    },
    EVERY("every") {
        @Override
        Object over(JsonArray array, Link.Iterated call, Frame frame) {
            return JsonBoolean.of(firstThatIs(false, array, call, frame) < 0);
        }
    },
    FIND("find") {
        @Override
        Object over(JsonArray array, Link.Iterated call, Frame frame) {
            return Member.at(array, firstThatIs(true, array, call, frame), call.position());
        }
    },
    FIND_INDEX("findIndex") {
        @Override
        Object over(JsonArray array, Link.Iterated call, Frame frame) {
            return JsonNumber.of(firstThatIs(true, array, call, frame));
        }
    },
    FILTER("filter") {
        @Override
        Object over(JsonArray array, Link.Iterated call, Frame frame) {
            frame.meter().elements(0);
            List<JsonValue> kept = new ArrayList<>();
            for (int i = 0; i < array.items().size(); i++) {
                if (Coercion.truthy(call.answer(array, i, frame))) {
                    frame.meter().bytes(8);
                    kept.add(array.items().get(i));
                }
            }
            return new JsonArray(kept);
        }
    },
    MAP("map") {
        @Override
        Object over(JsonArray array, Link.Iterated call, Frame frame) {
            frame.meter().elements(array.items().size());
            List<JsonValue> answers = new ArrayList<>();
            for (int i = 0; i < array.items().size(); i++) {
                answers.add(Coercion.element(call.answer(array, i, frame), call.position()));
            }
            return new JsonArray(answers);
        }
    };

    private final String method;

    Iteration(String method) {
        this.method = method;
    }

    String method() {
        return method;
    }

    abstract Object over(JsonArray array, Link.Iterated call, Frame frame);

    static JsonArray items(Object target, Iteration iteration, int position) {
        if (target instanceof JsonArray array) {
            return array;
        }
        throw Fault.type(
                "Only an array has " + Fault.quote(iteration.method) + ", not " + Kind.of(target) + ".", position);
    }

    /** The index of the first element for which the arrow answers so; -1 if there is none. */
    static int firstThatIs(boolean truth, JsonArray array, Link.Iterated call, Frame frame) {
        for (int i = 0; i < array.items().size(); i++) {
            if (Coercion.truthy(call.answer(array, i, frame)) == truth) {
                return i;
            }
        }
        return -1;
    }
}
