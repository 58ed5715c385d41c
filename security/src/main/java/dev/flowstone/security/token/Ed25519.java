package dev.flowstone.security.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.jca.JCAContext;
import com.nimbusds.jose.util.Base64URL;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;
import java.util.Set;

/** Checks signatures of Ed25519 (RFC 8037) by the JDK's own implementation; the library's would need another library. */
final class Ed25519 implements JWSVerifier {
    private static final String NAME = "Ed25519";
    private static final int KEY_BYTES = 32;

    /** What stands before the key's bytes in a SubjectPublicKeyInfo (RFC 8410, 4). */
    private static final byte[] INFO = HexFormat.of().parseHex("302a300506032b6570032100");

    private final PublicKey key;
    private final JCAContext context = new JCAContext();

    /** @throws JOSEException if that is no key */
    Ed25519(byte[] x) throws JOSEException {
        if (x.length != KEY_BYTES) {
            throw new JOSEException("an Ed25519 key has " + KEY_BYTES + " bytes, not " + x.length);
        }
        byte[] info = new byte[INFO.length + x.length];
        System.arraycopy(INFO, 0, info, 0, INFO.length);
        System.arraycopy(x, 0, info, INFO.length, x.length);
        try {
            key = KeyFactory.getInstance(NAME).generatePublic(new X509EncodedKeySpec(info));
        } catch (GeneralSecurityException e) {
            throw new JOSEException("that is no Ed25519 key", e);
        }
    }

    @Override
    public boolean verify(JWSHeader header, byte[] signed, Base64URL signature) throws JOSEException {
        try {
            Signature verifier = Signature.getInstance(NAME);
            verifier.initVerify(key);
            verifier.update(signed);
            return verifier.verify(signature.decode());
        } catch (SignatureException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new JOSEException("this JVM has no Ed25519", e);
        }
    }

    @Override
    public Set<JWSAlgorithm> supportedJWSAlgorithms() {
        return Set.of(JWSAlgorithm.EdDSA);
    }

    @Override
    public JCAContext getJCAContext() {
        return context;
    }
}
