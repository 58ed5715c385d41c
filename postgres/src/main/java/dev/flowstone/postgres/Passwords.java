package dev.flowstone.postgres;

import dev.flowstone.postgres.PostgresOpenException.Reason;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The roles' passwords. Unless handed in, each is HMAC-SHA-256 of the role's name under the admin's password, so that all
 * nodes agree without another secret to keep, and none of the roles can find out another's.
 */
record Passwords(String engine, String api) {
    /** Refuses what everybody could derive too. */
    static void check(PostgresConfig config) throws PostgresOpenException {
        boolean derives =
                config.enginePassword().isEmpty() || config.apiPassword().isEmpty();
        if (derives && config.admin().password().isEmpty()) {
            throw new PostgresOpenException(
                    Reason.LOGIN_REFUSED,
                    "no password is given for the user " + config.admin().user()
                            + ": the passwords of Flowstone's own roles are derived from it, and without one everybody"
                            + " could know them; set database.password (FLOWSTONE_DATABASE_PASSWORD), to any secret if the"
                            + " server asks this user for none");
        }
    }

    static Passwords of(PostgresConfig config) {
        String secret = config.admin().password();
        return new Passwords(
                config.enginePassword()
                        .orElseGet(() -> derive(secret, config.roles().engine())),
                config.apiPassword()
                        .orElseGet(() -> derive(secret, config.roles().api())));
    }

    private static String derive(String secret, String role) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(("flowstone:" + secret).getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            byte[] derived = mac.doFinal(role.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(derived);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HMAC-SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "Passwords[***]";
    }
}
