package dev.gannet.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The whole text of what is generated for one service, in all styles, as a reviewer sees it change.
 * Run with {@code -Dgannet.golden.write=true} to rewrite it.
 */
final class GoldenTest {
  private static final Path GOLDEN = Path.of("src/test/golden");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Greeter",
        "GreeterClient",
        "GreeterAsync",
        "GreeterAsyncClient",
        "GreeterObserverClient",
        "GreeterMethods"
      })
  void generatedTextIsTheGoldenOne(String type) throws IOException {
    CodeGeneratorResponse response =
        Protoc.generateWith("styles=blocking,async,observer", "golden.proto");
    String text = Protoc.source(response, "sample/golden/" + type + ".java");
    Path golden = GOLDEN.resolve(type + ".java.txt");
    if (Boolean.getBoolean("gannet.golden.write")) {
      Files.createDirectories(GOLDEN);
      Files.writeString(golden, text);
    }
    assertThat(text).isEqualTo(Files.readString(golden));
  }
}
