package dev.flowstone.expression.schedule;

/**
 * Reads what all fields have in common: {@code *} and {@code ?}, values, ranges, steps and lists of them. The special
 * characters of the two day fields have their own readers, which begin and end with this one.
 */
final class FieldReader {
    private final Range range;
    private final String text;
    private int at;
    private boolean interval;

    FieldReader(Range range, String text) {
        this.range = range;
        this.text = text;
    }

    /**
     * @param bits bit {@code n} stands for value {@code n}
     * @param isInterval whether it is written with a star, a range or a step
     */
    record Values(long bits, boolean isInterval) {
        static final Values ZERO = new Values(1, false);
    }

    static Values read(Range range, String text) throws FaultException {
        FieldReader reader = new FieldReader(range, text);
        long bits = reader.acceptStar() ? reader.starred() : reader.list(reader.value());
        reader.requireEnd();
        return new Values(bits, reader.interval);
    }

    boolean acceptStar() {
        boolean star = accept('*') || accept('?');
        interval |= star;
        return star;
    }

    /** After a star. */
    long starred() throws FaultException {
        return accept('/') ? range.every(range.first(), range.last(), step()) : range.all();
    }

    /** After the first value of a list. */
    long list(int first) throws FaultException {
        long bits = span(first);
        while (accept(',')) {
            bits |= span(value());
        }
        return bits;
    }

    private long span(int low) throws FaultException {
        int high = low;
        if (accept('-')) {
            interval = true;
            high = value();
        } else if (isNext('/')) {
            high = range.last();
        }
        if (accept('/')) {
            interval = true;
            return range.every(low, high, step());
        }
        return range.every(low, high, 1);
    }

    private int step() throws FaultException {
        return number(1, range.last(), "a step");
    }

    /** A value of the field, as a number or a name. */
    int value() throws FaultException {
        int letters = at;
        while (letters < text.length() && isLetter(text.charAt(letters))) {
            letters++;
        }
        // Three letters, so that FRIL is FRI and L.
        if (range.hasNames() && letters - at >= 3) {
            int named = range.named(text.substring(at, at + 3));
            if (named >= 0) {
                at += 3;
                return named;
            }
        }
        return number(range.first(), range.last(), "a value");
    }

    /** A number of one or two digits. */
    int number(int low, int high, String what) throws FaultException {
        int start = at;
        int number = 0;
        while (at < text.length() && isDigit(text.charAt(at)) && at - start < 3) {
            number = number * 10 + (text.charAt(at) - '0');
            at++;
        }
        if (at == start) {
            throw fault(
                    at == text.length()
                            ? FaultException.quoted(text) + " ends where " + what + " is missing"
                            : FaultException.quoted(rest()) + " is not " + what);
        }
        if (at - start > 2 || number < low || number > high) {
            throw new FaultException(
                    range.field(), text.substring(start, at) + " is out of range as " + what, low + " to " + high);
        }
        return number;
    }

    boolean accept(char character) {
        if (isNext(character)) {
            at++;
            return true;
        }
        return false;
    }

    /** A letter in either case. */
    boolean acceptLetter(char upper) {
        return accept(upper) || accept(Character.toLowerCase(upper));
    }

    void requireEnd() throws FaultException {
        if (at < text.length()) {
            throw fault(FaultException.quoted(rest()) + " can't stand after '" + text.substring(0, at) + "'");
        }
    }

    private boolean isNext(char character) {
        return at < text.length() && text.charAt(at) == character;
    }

    private String rest() {
        return text.substring(at);
    }

    private FaultException fault(String problem) {
        String special = switch (range) {
            case SECOND, MINUTE, HOUR, MONTH -> "";
            case DAY_OF_MONTH -> "; alone: L, L-n, nW, LW, L-nW";
            case DAY_OF_WEEK -> "; alone: nL, n#1 to n#5";
        };
        return new FaultException(
                range.field(),
                problem,
                range.inWords() + ", a-b, a-b/step, a/step, lists of these with commas, *, */step, ?" + special);
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    private static boolean isLetter(char character) {
        return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
    }
}
