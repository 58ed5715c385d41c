package dev.flowstone.security.token;

import java.util.Set;

/** Names that mean nobody in particular here, and so are nobody's who shows a token. */
public final class Subjects {
    /** Who calls and says no name, where names are asked from nobody. */
    public static final String SYSTEM = "system";

    /** Who calls what is everybody's. */
    public static final String ANONYMOUS = "anonymous";

    private static final Set<String> RESERVED = Set.of(SYSTEM, ANONYMOUS);

    private Subjects() {}

    public static boolean isReserved(String subject) {
        return RESERVED.contains(subject);
    }
}
