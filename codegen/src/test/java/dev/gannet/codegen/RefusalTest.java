package dev.gannet.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.Edition;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse.Feature;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the plug-in says of itself, and of requests that it cannot serve. */
final class RefusalTest {
  @Test
  void optionalFieldsAndEditionsAreSupported() {
    CodeGeneratorResponse response = Protoc.ask(CodeGeneratorRequest.getDefaultInstance());

    assertThat(response.getSupportedFeatures())
        .isEqualTo(Feature.FEATURE_PROTO3_OPTIONAL_VALUE | Feature.FEATURE_SUPPORTS_EDITIONS_VALUE);
    assertThat(response.getMinimumEdition()).isEqualTo(Edition.EDITION_PROTO2_VALUE);
    assertThat(response.getMaximumEdition()).isEqualTo(Edition.EDITION_2026_VALUE);
    assertThat(response.hasError()).isFalse();
  }

  @Test
  void filesWithoutServicesMakeNothing() {
    assertThat(Protoc.generate("sub/elsewhere.proto").getFileList()).isEmpty();
  }

  @Test
  void aMissingFileIsRefused() {
    CodeGeneratorResponse response =
        Protoc.ask(CodeGeneratorRequest.newBuilder().addFileToGenerate("a.proto").build());

    assertThat(response.getError()).isEqualTo("The request lacks the file a.proto.");
  }

  @Test
  void methodsWithTheSameNameInJavaAreRefused() {
    assertThat(errorFor(file("Greeter", "SayHello", "say_hello")))
        .isEqualTo(
            "f.proto: The methods SayHello and say_hello of the service p.Greeter"
                + " would both be called sayHello in Java.");
  }

  @Test
  void methodsWithTheSameConstantAreRefused() {
    assertThat(errorFor(file("Greeter", "GetHttp", "GetHTTP")))
        .isEqualTo(
            "f.proto: The methods GetHttp and GetHTTP of the service p.Greeter"
                + " would both be called GET_HTTP in Java.");
  }

  @Test
  void aMessageWithTheNameOfAGeneratedClassIsRefused() {
    FileDescriptorProto.Builder file = file("Greeter", "SayHello");
    file.addMessageType(DescriptorProto.newBuilder().setName("GreeterClient"));
    file.getOptionsBuilder().setJavaMultipleFiles(true);

    assertThat(errorFor(file))
        .isEqualTo(
            "f.proto: The Java class p.GreeterClient would be generated twice, for the message"
                + " p.GreeterClient and for the service p.Greeter; rename one, give it another"
                + " java_package, or leave out its style with the option \"styles\".");
  }

  @Test
  void anErrorNamesFileAndLine() {
    FileDescriptorProto.Builder file = file("Greeter", "SayHello", "say_hello");
    file.getSourceCodeInfoBuilder()
        .addLocation(
            Location.newBuilder().addAllPath(List.of(6, 0, 2, 1)).addAllSpan(List.of(8, 2, 40)));

    assertThat(errorFor(file)).startsWith("f.proto:9:3: The methods SayHello and say_hello");
  }

  @Test
  void aNameClashWithAStyleThatIsNotGeneratedIsNoError() {
    FileDescriptorProto.Builder file = file("Greeter", "SayHello");
    file.addMessageType(DescriptorProto.newBuilder().setName("GreeterAsync"));
    file.getOptionsBuilder().setJavaMultipleFiles(true);

    assertThat(errorFor(file)).contains("p.GreeterAsync would be generated twice");
    assertThat(ask(file, "styles=blocking").getError()).isEmpty();
  }

  @Test
  void aNestedMessageWithTheNameOfAGeneratedClassIsFine() {
    FileDescriptorProto.Builder file = file("Greeter", "SayHello");
    file.addMessageType(DescriptorProto.newBuilder().setName("GreeterClient"));

    assertThat(errorFor(file)).isEmpty();
  }

  @Test
  void servicesWithTheSameGeneratedClassAreRefused() {
    FileDescriptorProto.Builder file = file("Greeter", "SayHello");
    file.addService(ServiceDescriptorProto.newBuilder().setName("GreeterMethods"));

    assertThat(errorFor(file))
        .startsWith(
            "f.proto: The Java class p.GreeterMethods would be generated twice, for the service");
  }

  @Test
  void aFileClassWithTheNameOfTheServiceIsRefused() {
    FileDescriptorProto.Builder file = file("Greeter", "SayHello");
    file.getOptionsBuilder().setJavaOuterClassname("Greeter");

    assertThat(errorFor(file))
        .startsWith(
            "f.proto: The Java class p.Greeter would be generated twice, for the file f.proto");
  }

  @Test
  void aGenericServiceOfProtobufsOwnIsRefused() {
    FileDescriptorProto.Builder file = file("Greeter", "SayHello");
    file.getOptionsBuilder().setJavaGenericServices(true);
    assertThat(errorFor(file)).isEmpty(); // it is nested in the class of its file

    file.getOptionsBuilder().setJavaMultipleFiles(true);
    assertThat(errorFor(file))
        .startsWith(
            "f.proto: The Java class p.Greeter would be generated twice, for the generic service");
  }

  private static FileDescriptorProto.Builder file(String service, String... methods) {
    ServiceDescriptorProto.Builder definition =
        ServiceDescriptorProto.newBuilder().setName(service);
    for (String method : methods) {
      definition.addMethod(
          MethodDescriptorProto.newBuilder()
              .setName(method)
              .setInputType(".p.M")
              .setOutputType(".p.M"));
    }
    return FileDescriptorProto.newBuilder()
        .setName("f.proto")
        .setPackage("p")
        .setSyntax("proto3")
        .addMessageType(DescriptorProto.newBuilder().setName("M"))
        .addService(definition);
  }

  private static String errorFor(FileDescriptorProto.Builder file) {
    CodeGeneratorResponse response = ask(file, "");
    assertThat(response.getFileCount() == 0).isEqualTo(response.hasError());
    return response.getError();
  }

  private static CodeGeneratorResponse ask(FileDescriptorProto.Builder file, String options) {
    return Protoc.ask(
        CodeGeneratorRequest.newBuilder()
            .setParameter(options)
            .addProtoFile(file)
            .addFileToGenerate(file.getName())
            .build());
  }
}
