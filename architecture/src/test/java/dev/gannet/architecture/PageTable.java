package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Reads tables of the pages of this project. */
final class PageTable {
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern CELL = Pattern.compile(" *\\| *");

  private PageTable() {}

  /** One column of the table with this head. */
  static List<String> cells(String page, String head, int column) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("..").resolve(page));
    assertThat(lines).contains(head);
    return lines.subList(lines.indexOf(head) + 2, lines.size()).stream()
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> CELL.split(line, -1)[column + 1])
        .toList();
  }

  /** What stands in a cell as code, in pieces if commas separate them. */
  static List<String> namesIn(String cell) {
    return CODE.matcher(cell)
        .results()
        .flatMap(code -> Arrays.stream(code.group(1).split(", ", -1)))
        .toList();
  }
}
