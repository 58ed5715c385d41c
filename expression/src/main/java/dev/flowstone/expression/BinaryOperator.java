package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;

/** Operators on two values; arithmetic is that of doubles, comparison exact. */
enum BinaryOperator {
    STRICT_EQUAL {
        @Override
        Object apply(Object left, Object right, Meter meter, int position) {
            return JsonBoolean.of(Equality.strict(left, right, meter));
        }
    },
    STRICT_UNEQUAL {
        @Override
        Object apply(Object left, Object right, Meter meter, int position) {
            return JsonBoolean.of(!Equality.strict(left, right, meter));
        }
    },
    LOOSE_EQUAL {
        @Override
        Object apply(Object left, Object right, Meter meter, int position) {
            return JsonBoolean.of(Equality.loose(left, right, meter, position));
        }
    },
    LOOSE_UNEQUAL {
        @Override
        Object apply(Object left, Object right, Meter meter, int position) {
            return JsonBoolean.of(!Equality.loose(left, right, meter, position));
        }
    },
    LESS {
        @Override
        Object apply(Object left, Object right, Meter meter, int position) {
            return JsonBoolean.of(Ordering.compare(left, right, meter, position) == Ordering.LESS);
        }
    },
    AT_MOST {
        @Override
        Object apply(Object left, Object right, Meter meter, int position) {
            int order = Ordering.compare(left, right, meter, position);
            return JsonBoolean.of(order == Ordering.LESS || order == Ordering.EQUAL);
        }
    },
    GREATER {
        @Override
        Object apply(Object left, Object right, Meter meter, int position) {
            return JsonBoolean.of(Ordering.compare(left, right, meter, position) == Ordering.GREATER);
        }
    },
    AT_LEAST {
        @Override
        Object apply(Object left, Object right, Meter meter, int position) {
            int order = Ordering.compare(left, right, meter, position);
            return JsonBoolean.of(order == Ordering.GREATER || order == Ordering.EQUAL);
        }
    },
    ADD {
        @Override
        Object apply(Object left, Object right, Meter meter, int position) {
            if (isTextual(left) || isTextual(right)) {
                String start = Coercion.text(left, meter, position);
                String end = Coercion.text(right, meter, position);
                meter.text((long) start.length() + end.length());
                return new JsonString(start + end);
            }
            return Coercion.toDouble(left, position) + Coercion.toDouble(right, position);
        }
    },
    SUBTRACT {
        @Override
        Object apply(Object left, Object right, Meter meter, int position) {
            return Coercion.toDouble(left, position) - Coercion.toDouble(right, position);
        }
    },
    MULTIPLY {
        @Override
        Object apply(Object left, Object right, Meter meter, int position) {
            return Coercion.toDouble(left, position) * Coercion.toDouble(right, position);
        }
    },
    DIVIDE {
        @Override
        Object apply(Object left, Object right, Meter meter, int position) {
            return Coercion.toDouble(left, position) / Coercion.toDouble(right, position);
        }
    },
    REMAINDER {
        @Override
        Object apply(Object left, Object right, Meter meter, int position) {
            return Coercion.toDouble(left, position) % Coercion.toDouble(right, position);
        }
    },
    POWER {
        @Override
        Object apply(Object left, Object right, Meter meter, int position) {
            // StrictMath, because Math.pow may differ in the last digit from machine to machine.
            return StrictMath.pow(Coercion.toDouble(left, position), Coercion.toDouble(right, position));
        }
    },
    IN {
        @Override
        Object apply(Object left, Object right, Meter meter, int position) {
            if (right instanceof JsonObject || right instanceof JsonArray) {
                String name = Coercion.text(left, meter, position);
                return JsonBoolean.of(Member.of(right, name, position) != Undefined.UNDEFINED);
            }
            throw Fault.type("'in' needs an object or array on its right, not " + Kind.of(right) + ".", position);
        }
    };

    abstract Object apply(Object left, Object right, Meter meter, int position);

    private static boolean isTextual(Object value) {
        return value instanceof JsonString || value instanceof JsonArray || value instanceof JsonObject;
    }
}
