package dev.flowstone.security.token;

/** Why a token is refused; stable names. What has to do with keys is one and the same, so that nobody learns which there are. */
public enum Refusal {
    /** It is no token, is signed in a way that isn't taken, or not by the issuer, or says what can't be. */
    TOKEN_INVALID,
    TOKEN_TOO_LARGE,
    TOKEN_EXPIRED,
    TOKEN_NOT_YET_VALID,
    TOKEN_WRONG_ISSUER,
    TOKEN_WRONG_AUDIENCE,
    /** It names no tenant. */
    TOKEN_WITHOUT_TENANT
}
