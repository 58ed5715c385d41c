package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A method that is marked with {@link Action}: its parameters are looked at once, when it is registered. */
final class AnnotatedHandler implements Registry.Handler {
    private final Object target;
    private final Method method;
    private final List<Bound> parameters;

    private AnnotatedHandler(Object target, Method method, List<Bound> parameters) {
        this.target = target;
        this.method = method;
        this.parameters = parameters;
    }

    /** Where a parameter's value comes from. */
    private sealed interface Bound {
        record TheTask() implements Bound {}

        record Whole(JavaType type) implements Bound {}

        record Member(String name, JavaType type) implements Bound {}
    }

    /**
     * Registers all methods of an object that are marked, those that it inherits too.
     *
     * @throws IllegalArgumentException if there are none, or one can't be called
     */
    static void addAll(Object target, JsonMapper json, Registry registry) {
        List<Method> found = new ArrayList<>();
        for (Class<?> type = target.getClass(); type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Action.class) && !method.isBridge() && !overridden(method, found)) {
                    found.add(method);
                }
            }
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException(
                    "no method of " + target.getClass().getName() + " is marked with @Action");
        }
        found.sort(Comparator.comparing(AnnotatedHandler::action));
        found.forEach(method -> registry.add(action(method), of(target, method, json)));
    }

    private static String action(Method method) {
        return requireNonNull(method.getAnnotation(Action.class)).value();
    }

    private static boolean overridden(Method method, List<Method> below) {
        return !Modifier.isPrivate(method.getModifiers())
                && below.stream()
                        .anyMatch(it -> it.getName().equals(method.getName())
                                && List.of(it.getParameterTypes()).equals(List.of(method.getParameterTypes())));
    }

    private static AnnotatedHandler of(Object target, Method method, JsonMapper json) {
        List<Bound> parameters = new ArrayList<>();
        for (Parameter parameter : method.getParameters()) {
            parameters.add(bound(parameter, json));
        }
        long whole = parameters.stream().filter(Bound.Whole.class::isInstance).count();
        if (whole > 1 || (whole == 1 && parameters.stream().anyMatch(Bound.Member.class::isInstance))) {
            throw new IllegalArgumentException(
                    method
                            + " takes the input in two ways: mark each parameter but the task with @Input, or take all of it as one");
        }
        try {
            method.setAccessible(true);
        } catch (InaccessibleObjectException e) {
            throw new IllegalArgumentException(
                    method + " can't be called from here: make it and its class public, or open their package", e);
        }
        return new AnnotatedHandler(target, method, List.copyOf(parameters));
    }

    private static Bound bound(Parameter parameter, JsonMapper json) {
        if (parameter.getType() == Task.class) {
            return new Bound.TheTask();
        }
        JavaType type = json.constructType(parameter.getParameterizedType());
        Input input = parameter.getAnnotation(Input.class);
        return input == null ? new Bound.Whole(type) : new Bound.Member(input.value(), type);
    }

    @Override
    public @Nullable Object call(JsonNode input, Task task, JsonMapper mapper) throws Exception {
        Object[] arguments = new Object[parameters.size()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = switch (parameters.get(i)) {
                case Bound.TheTask() -> task;
                case Bound.Whole(JavaType type) -> Inputs.read("the input", input, type, mapper);
                case Bound.Member(String name, JavaType type) ->
                    Inputs.read("the input's '" + name + "'", member(input, name, mapper), type, mapper);
            };
        }
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            switch (e.getCause()) {
                case Exception thrown -> throw thrown;
                case Error thrown -> throw thrown;
                case null, default -> throw e;
            }
        }
    }

    /** Null where it is absent, which an {@link java.util.Optional} takes and a record doesn't. */
    private static JsonNode member(JsonNode input, String name, JsonMapper mapper) {
        JsonNode member = input.path(name);
        return member.isMissingNode() ? mapper.nullNode() : member;
    }
}
