package dev.flowstone.kernel.id;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A SHA-256 digest: 32 bytes, written as 64 lower-case hexadecimal digits. */
public final class Sha256 {
    /** 32 zero bytes: what precedes the first event of a chain. */
    public static final Sha256 ZERO = new Sha256(new byte[32]);

    private static final HexFormat HEX = HexFormat.of();

    /** Never fed: its copies are, since to look for one among the platform's providers costs more than a decision's hashes. */
    private static final MessageDigest UNFED = unfed();

    private final byte[] bytes;

    private Sha256(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Sha256 ofBytes(byte[] bytes) {
        if (bytes.length != 32) {
            throw new IllegalArgumentException("a SHA-256 digest has 32 bytes, not " + bytes.length);
        }
        return new Sha256(bytes.clone());
    }

    public static Sha256 parse(String hex) {
        return ofBytes(HEX.parseHex(hex));
    }

    /** The digest of the parts, one after another. */
    public static Sha256 digest(byte[]... parts) {
        MessageDigest digest = newDigest();
        for (byte[] part : parts) {
            digest.update(part);
        }
        return of(digest);
    }

    /** One that nothing was fed to. */
    public static MessageDigest newDigest() {
        try {
            return (MessageDigest) UNFED.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the platform's SHA-256 can be cloned", e);
        }
    }

    private static MessageDigest unfed() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** What the digest has been fed with; it starts anew. */
    public static Sha256 of(MessageDigest digest) {
        return new Sha256(digest.digest());
    }

    /** Updates a digest with these 32 bytes. */
    public void feed(MessageDigest digest) {
        digest.update(bytes);
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Sha256 that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HEX.formatHex(bytes);
    }
}
