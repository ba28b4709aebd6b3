package dev.gannet.codegen;

import java.util.Map;
import java.util.NoSuchElementException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text with gaps: <code>${name}</code> is replaced by a value, <code>${java.util.List}</code> by
 * the name of that class in the file.
 *
 * <p>A gap that is alone on its line may be replaced by any number of lines, each indented as the
 * gap is; if its value is empty, the line is removed. Values are not searched for further gaps.
 */
record Template(String text) {
  private static final Pattern GAP = Pattern.compile("\\$\\{([\\w.]+)}");

  /**
   * @throws NoSuchElementException if a value is missing
   */
  String fill(ClassNames names, Map<String, String> values) {
    StringBuilder filled = new StringBuilder();
    for (String line : text.lines().toList()) {
      Matcher alone = GAP.matcher(line.strip());
      if (alone.matches()) {
        String indent = line.substring(0, line.indexOf('$'));
        indented(value(alone.group(1), names, values), indent, filled);
      } else {
        filled
            .append(
                GAP.matcher(line)
                    .replaceAll(
                        gap -> Matcher.quoteReplacement(value(gap.group(1), names, values))))
            .append('\n');
      }
    }
    return filled.toString();
  }

  private static void indented(String value, String indent, StringBuilder to) {
    value.lines().forEach(line -> to.append(line.isEmpty() ? "" : indent + line).append('\n'));
  }

  private static String value(String gap, ClassNames names, Map<String, String> values) {
    if (gap.indexOf('.') >= 0) {
      return names.of(gap);
    }
    String value = values.get(gap);
    if (value == null) {
      throw new NoSuchElementException("no value for " + gap);
    }
    return value;
  }
}
