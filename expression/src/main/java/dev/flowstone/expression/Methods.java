package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonString;
import org.jspecify.annotations.Nullable;

/** All methods of one name, by what they are called on. */
record Methods(
        String name,
        @Nullable Method<String> ofText,
        @Nullable Method<JsonArray> ofArray,
        @Nullable Method<Object> ofNumber) {

    /** A method's work and how many arguments it takes at most. */
    record Method<T>(int most, Body<T> body) {}

    /** Pure; charges for its work and for what it makes before it makes it. */
    @FunctionalInterface
    interface Body<T> {
        Object call(T self, Arguments arguments);
    }

    /** Null if there is no method of this name. */
    static @Nullable Methods named(String name) {
        Method<String> text = TextMethods.ALL.get(name);
        Method<JsonArray> array = ArrayMethods.ALL.get(name);
        Method<Object> number = NumberMethods.ALL.get(name);
        return text == null && array == null && number == null ? null : new Methods(name, text, array, number);
    }

    int mostArguments() {
        return Math.max(most(ofText), Math.max(most(ofArray), most(ofNumber)));
    }

    private static int most(@Nullable Method<?> method) {
        return method == null ? 0 : method.most();
    }

    Object call(Object target, Arguments arguments) {
        if (target instanceof JsonString text && ofText != null) {
            return call(ofText, text.value(), arguments);
        }
        if (target instanceof JsonArray array && ofArray != null) {
            return call(ofArray, array, arguments);
        }
        if (Numbers.isNumber(target) && ofNumber != null) {
            return call(ofNumber, target, arguments);
        }
        throw Fault.type(
                "There is no method " + Fault.quote(name) + " on " + Kind.of(target) + ".", arguments.position());
    }

    private <T> Object call(Method<T> method, T self, Arguments arguments) {
        if (arguments.count() > method.most()) {
            throw Fault.type(
                    "Here " + Fault.quote(name) + " takes " + method.most() + " arguments at most.",
                    arguments.position());
        }
        return method.body().call(self, arguments);
    }
}
