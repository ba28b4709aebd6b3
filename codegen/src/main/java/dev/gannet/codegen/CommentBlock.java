package dev.gannet.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A part of a comment: running text, or lines that are kept as they are. */
sealed interface CommentBlock {
  /** Lines that form one paragraph. */
  record Paragraph(String text) implements CommentBlock {}

  /** A list, a table, an example: whatever was indented or marked as items. */
  record Preformatted(List<String> lines) implements CommentBlock {}

  /** The blocks of a comment as protoc passes it: without slashes and stars. */
  static List<CommentBlock> parse(String comment) {
    Parser parser = new Parser();
    parser.lines(comment).forEach(parser::add);
    parser.endBlock();
    return List.copyOf(parser.blocks);
  }

  /** Collects lines until a block is complete. */
  final class Parser {
    /** Lines that are indented by at least this much are kept as they are. */
    private static final int INDENT_COLUMNS = 2;

    private static final Pattern LIST_ITEM = Pattern.compile("\\s*([-*+]|\\d+[.)])\\s.*");

    private final List<CommentBlock> blocks = new ArrayList<>();
    private final List<String> block = new ArrayList<>();
    private boolean preformatted;
    private boolean blankBefore;

    private Parser() {}

    private List<String> lines(String comment) {
      String clean = comment.replace("\t", "    ").replaceAll("[\\p{Cntrl}&&[^\n]]", "");
      String starless = clean.startsWith("*") ? " " + clean.substring(1) : clean; // from "/**"
      return starless.stripTrailing().stripIndent().lines().map(String::stripTrailing).toList();
    }

    private void add(String line) {
      if (line.isEmpty()) {
        blankBefore = true;
        return;
      }
      boolean kept = staysAsItIs(line);
      if (kept != preformatted || (blankBefore && !kept)) {
        endBlock();
      } else if (blankBefore && !block.isEmpty()) {
        block.add("");
      }
      preformatted = kept;
      blankBefore = false;
      block.add(line);
    }

    private boolean staysAsItIs(String line) {
      int indentColumns = line.length() - line.stripLeading().length();
      boolean continues = preformatted && !block.isEmpty() && indentColumns > 0;
      return continues || indentColumns >= INDENT_COLUMNS || LIST_ITEM.matcher(line).matches();
    }

    private void endBlock() {
      if (!block.isEmpty()) {
        blocks.add(
            preformatted
                ? new Preformatted(List.copyOf(block))
                : new Paragraph(String.join(" ", block.stream().map(String::strip).toList())));
        block.clear();
      }
    }
  }
}
