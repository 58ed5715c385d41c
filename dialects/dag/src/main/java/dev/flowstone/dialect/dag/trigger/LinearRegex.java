package dev.flowstone.dialect.dag.trigger;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressionFactory;
import java.util.Optional;

/** Patterns that run in time linear in the text, whatever their author meant to do. */
final class LinearRegex implements RegularExpressionFactory {
    @Override
    public RegularExpression getRegularExpression(String regex) {
        Pattern pattern = Pattern.compile(regex);
        return text -> pattern.matcher(text).find();
    }

    /** Why this pattern isn't accepted, if it isn't. */
    static Optional<String> complaint(String regex) {
        try {
            Pattern.compile(regex);
            return Optional.empty();
        } catch (PatternSyntaxException e) {
            return Optional.of(e.getDescription());
        }
    }
}
