package dev.flowstone.security.token;

/** Ends the reading of a token. */
final class RefusedToken extends Exception {
    private static final long serialVersionUID = 1L;

    private final Refusal refusal;
    private final String detail;

    RefusedToken(Refusal refusal, String detail) {
        super(detail, null, false, false);
        this.refusal = refusal;
        this.detail = detail;
    }

    static RefusedToken invalid(String detail) {
        return new RefusedToken(Refusal.TOKEN_INVALID, detail);
    }

    /** Whatever is the matter with keys. */
    static RefusedToken badSignature() {
        return invalid("it is not signed as the issuer signs its tokens; get a new one from the issuer");
    }

    Verdict.Refused verdict() {
        return new Verdict.Refused(refusal, detail);
    }
}
