package dev.gannet.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the plug-in can be told. */
final class OptionsTest {
  private static List<String> classes(String options) {
    CodeGeneratorResponse response = Protoc.generateWith(options, "golden.proto");
    assertThat(response.getError()).isEmpty();
    return response.getFileList().stream()
        .map(CodeGeneratorResponse.File::getName)
        .map(name -> name.replaceAll(".*/|[.]java", ""))
        .toList();
  }

  @Test
  void blockingAndAsynchronousClassesAreTheDefault() {
    assertThat(classes(""))
        .containsExactly(
            "Greeter", "GreeterClient", "GreeterAsync", "GreeterAsyncClient", "GreeterMethods");
  }

  @Test
  void stylesAreChosenByName() {
    assertThat(classes("styles=blocking"))
        .containsExactly("Greeter", "GreeterClient", "GreeterMethods");
    assertThat(classes("styles=observer,blocking"))
        .containsExactly("Greeter", "GreeterClient", "GreeterObserverClient", "GreeterMethods");
    assertThat(classes("runtime=full, styles=async"))
        .containsExactly("GreeterAsync", "GreeterAsyncClient", "GreeterMethods");
  }

  @Test
  void liteMessagesHaveTheirOwnMarshallerAndNoSchema() {
    String methods =
        Protoc.source(
            Protoc.generateWith("runtime=lite", "golden.proto"),
            "sample/golden/GreeterMethods.java");

    assertThat(methods)
        .contains("import dev.gannet.protobuf.lite.ProtobufLiteMarshaller;")
        .contains("ProtobufLiteMarshaller.lazy(new Lazy<Name>(0))")
        .doesNotContain("schema", "Schema");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lite | The Gannet plug-in does not know the option \"lite\". It knows styles and runtime.",
        "styles=reactive | The option \"styles\" cannot be \"reactive\". Its values are blocking,"
            + " async, observer.",
        "styles | The option \"styles\" cannot be \"\". Its values are blocking, async, observer.",
        "runtime=lite,styles=async,runtime=full | The option \"runtime\" was added twice.",
        "runtime=small | The option \"runtime\" cannot be \"small\". Its values are full, lite."
      })
  void invalidOptionsAreRefusedByName(String options, String error) {
    assertThat(Protoc.generateWith(options, "golden.proto").getError()).isEqualTo(error);
  }
}
