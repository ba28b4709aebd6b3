package dev.gannet.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The whole text of what is generated for one service, in all styles, as a reviewer sees it change.
 * Run with {@code -Dgannet.golden.write=true} to rewrite it.
 */
final class GoldenTest {
  private static final Path GOLDEN = Path.of("src/test/golden");
  private static final String PACKAGE = "sample/golden/";
  private static final boolean WRITE = Boolean.getBoolean("gannet.golden.write");

  /** The names of the generated files, without their package. */
  static List<String> names() {
    return generated().getFileList().stream()
        .map(file -> file.getName().substring(PACKAGE.length()))
        .toList();
  }

  private static CodeGeneratorResponse generated() {
    return Protoc.generateWith(Protoc.ALL_STYLES, "golden.proto");
  }

  @ParameterizedTest
  @MethodSource("names")
  void generatedTextIsTheGoldenOne(String name) throws IOException {
    String text = Protoc.source(generated(), PACKAGE + name);
    Path golden = golden(name);
    if (WRITE) {
      Files.createDirectories(GOLDEN);
      Files.writeString(golden, text);
    }
    assertThat(golden).as("run with -Dgannet.golden.write=true to write it").exists();
    assertThat(text).isEqualTo(Files.readString(golden));
  }

  @Test
  void everyGoldenFileIsStillGenerated() throws IOException {
    List<Path> generated = names().stream().map(GoldenTest::golden).toList();
    try (Stream<Path> files = Files.list(GOLDEN)) {
      List<Path> stale = files.filter(file -> !generated.contains(file)).toList();
      if (WRITE) {
        for (Path file : stale) {
          Files.delete(file);
        }
      } else {
        assertThat(stale).isEmpty();
      }
    }
  }

  private static Path golden(String name) {
    return GOLDEN.resolve(name + ".txt");
  }
}
