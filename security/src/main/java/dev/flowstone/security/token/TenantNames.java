package dev.flowstone.security.token;

import java.util.regex.Pattern;

/** What a tenant may be called by those who call from outside. */
public final class TenantNames {
    /** For people: what a name is. */
    public static final String RULE =
            "1 to 63 letters, digits, dots, underscores and hyphens, the first a letter or digit";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    private TenantNames() {}

    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }
}
