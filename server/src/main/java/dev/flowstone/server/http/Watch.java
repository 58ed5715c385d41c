package dev.flowstone.server.http;

/**
 * Is told of every call that reaches the {@link Border}, on its thread, from the first to the last of it; it must not
 * throw.
 */
public interface Watch {
    /** Nobody watches. */
    Watch NONE = (method, headers) -> new Visit() {};

    /** A call came in. */
    Visit begin(String method, Headers headers);

    /** One call. */
    interface Visit {
        /** It is let in: who calls what. A call that is refused before has none of this. */
        default void admitted(Route route, Caller caller, String correlation) {}

        /** It is answered, or its answer begins to pour. */
        default void answered(int status) {}
    }

    /** Both, the first one around the second. */
    static Watch both(Watch outer, Watch inner) {
        return (method, headers) -> {
            Visit first = outer.begin(method, headers);
            Visit second = inner.begin(method, headers);
            return new Visit() {
                @Override
                public void admitted(Route route, Caller caller, String correlation) {
                    first.admitted(route, caller, correlation);
                    second.admitted(route, caller, correlation);
                }

                @Override
                public void answered(int status) {
                    second.answered(status);
                    first.answered(status);
                }
            };
        };
    }
}
