package dev.flowstone.server.api;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;

/** Answers some calls of a port in its place. */
@FunctionalInterface
interface Instead {
    /** What a method is answered with; empty if the port answers itself. */
    Optional<Object> answer(String method, Object[] arguments) throws Exception;

    /** The port with these answers before its own. */
    static <T> T of(Class<T> type, T port, Instead instead) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                    Optional<Object> other = instead.answer(method.getName(), arguments);
                    if (other.isPresent()) {
                        return other.get();
                    }
                    try {
                        return method.invoke(port, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
