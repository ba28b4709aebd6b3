package dev.gannet.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.gannet.api.Marshaller;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.protobuf.ProtobufMarshaller;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.services.reflection.v1.ExtensionRequest;
import dev.gannet.services.reflection.v1.ServerReflectionClient;
import dev.gannet.services.reflection.v1.ServerReflectionRequest;
import dev.gannet.services.reflection.v1.ServerReflectionResponse;
import dev.gannet.services.reflection.v1.ServiceResponse;
import dev.gannet.services.test.Book;
import dev.gannet.services.test.Shelves;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of {@code grpc.reflection.v1.ServerReflection}, over a real connection. */
@Timeout(30)
final class ReflectionServiceTest {
  private static final String PACKAGE = "gannet.services.test.";

  private Started started;
  private BidiStreamingCall<ServerReflectionRequest, ServerReflectionResponse> stream;

  @BeforeEach
  void start() throws IOException {
    started =
        Started.with(
            builder -> builder.add(new ReflectionService()).add(new Shelves() {}).add(byHand()));
    stream = ServerReflectionClient.of(started.channel()).serverReflectionInfo();
  }

  @AfterEach
  void stop() {
    stream.close();
    started.close();
  }

  /** A service that no {@code .proto} file defines. */
  private static ServerServiceDefinition byHand() {
    Marshaller<Book> books = ProtobufMarshaller.of(Book.getDefaultInstance());
    MethodDescriptor<Book, Book> method =
        MethodDescriptor.of(MethodType.UNARY, "test.ByHand/Echo", books, books);
    return ServerServiceDefinition.of(
        "test.ByHand",
        List.of(ServerMethodDefinition.of(method, BlockingHandlers.unary(book -> book))));
  }

  private static ServerReflectionRequest.Builder request() {
    return ServerReflectionRequest.newBuilder().setHost("a-host");
  }

  private ServerReflectionResponse ask(ServerReflectionRequest.Builder request) {
    stream.send(request.build());
    return stream.next();
  }

  private static List<String> files(ServerReflectionResponse response) {
    return response.getFileDescriptorResponse().getFileDescriptorProtoList().stream()
        .map(ReflectionServiceTest::nameOf)
        .toList();
  }

  private static String nameOf(ByteString file) {
    try {
      return FileDescriptorProto.parseFrom(file).getName();
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertError(ServerReflectionResponse response, Status.Code code) {
    assertThat(response.hasErrorResponse()).isTrue();
    assertThat(response.getErrorResponse().getErrorCode()).isEqualTo(code.value());
    assertThat(response.getErrorResponse().getErrorMessage()).isNotEmpty();
  }

  @Test
  void allServicesAreListedAlsoThoseWithoutASchema() {
    assertThat(ask(request().setListServices("")).getListServicesResponse().getServiceList())
        .extracting(ServiceResponse::getName)
        .containsExactly(
            "gannet.services.test.Shelves",
            "grpc.reflection.v1.ServerReflection",
            "grpc.reflection.v1alpha.ServerReflection",
            "test.ByHand");
  }

  @Test
  void aResponseRepeatsItsRequest() {
    ServerReflectionRequest asked = request().setListServices("*").build();

    stream.send(asked);

    assertThat(stream.next().getOriginalRequest()).isEqualTo(asked);
  }

  @Test
  void aFileIsSentWithItsImports() {
    assertThat(files(ask(request().setFileByFilename("shelves.proto"))))
        .containsExactly("shelves.proto", "books.proto");
  }

  /** Or tools print messages with names that are not those of their JSON. */
  @Test
  void fieldsHaveTheirNamesInJson() throws InvalidProtocolBufferException {
    String symbol = "grpc.reflection.v1.ServerReflectionRequest";
    FileDescriptorProto file =
        FileDescriptorProto.parseFrom(
            ask(request().setFileContainingSymbol(symbol))
                .getFileDescriptorResponse()
                .getFileDescriptorProto(0));
    assertThat(file.getMessageTypeList().getFirst().getFieldList())
        .extracting(FieldDescriptorProto::getJsonName)
        .contains("host", "fileByFilename", "fileContainingSymbol");
  }

  @Test
  void importsThatWereSentAreNotSentAgain() {
    ask(request().setFileByFilename("shelves.proto"));

    assertThat(files(ask(request().setFileByFilename("shelves.proto"))))
        .containsExactly("shelves.proto");
    assertThat(files(ask(request().setFileByFilename("books.proto"))))
        .containsExactly("books.proto");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Shelves",
        "Shelves.Put",
        "Shelf",
        "Shelf.label",
        "Shelf.Label",
        "Shelf.Label.text",
        "Shelf.Kind",
        "Shelf.STEEL",
        "Shelf.place",
        "Shelf.shelf_number",
        "colour"
      })
  void aSymbolIsFoundInItsFile(String symbol) {
    assertThat(files(ask(request().setFileContainingSymbol(PACKAGE + symbol))))
        .first()
        .isEqualTo("shelves.proto");
  }

  @Test
  void aSymbolOfAnImportIsFoundInThatFile() {
    assertThat(files(ask(request().setFileContainingSymbol(PACKAGE + "Book"))))
        .containsExactly("books.proto");
  }

  private static ServerReflectionRequest.Builder extension(String type, int number) {
    return request()
        .setFileContainingExtension(
            ExtensionRequest.newBuilder().setContainingType(type).setExtensionNumber(number));
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 101})
  void anExtensionIsFoundByItsNumber(int number) {
    assertThat(files(ask(extension(PACKAGE + "Book", number)))).first().isEqualTo("shelves.proto");
  }

  @Test
  void theNumbersOfAllExtensionsAreListed() {
    var numbers =
        ask(request().setAllExtensionNumbersOfType(PACKAGE + "Book"))
            .getAllExtensionNumbersResponse();

    assertThat(numbers.getBaseTypeName()).isEqualTo(PACKAGE + "Book");
    assertThat(numbers.getExtensionNumberList()).containsExactly(100, 101);
  }

  @Test
  void aTypeWithoutExtensionsHasNoNumbers() {
    var response = ask(request().setAllExtensionNumbersOfType(PACKAGE + "Shelf"));

    assertThat(response.hasAllExtensionNumbersResponse()).isTrue();
    assertThat(response.getAllExtensionNumbersResponse().getExtensionNumberList()).isEmpty();
  }

  @Test
  void unknownSymbolsAreNotFoundAndTheStreamContinues() {
    assertError(ask(request().setFileByFilename("none.proto")), Status.Code.NOT_FOUND);
    assertError(ask(request().setFileContainingSymbol("test.None")), Status.Code.NOT_FOUND);
    assertError(ask(request().setFileContainingSymbol("test.ByHand")), Status.Code.NOT_FOUND);
    assertError(ask(extension(PACKAGE + "Book", 102)), Status.Code.NOT_FOUND);
    assertError(ask(extension("test.None", 1)), Status.Code.NOT_FOUND);
    assertError(ask(request().setAllExtensionNumbersOfType("test.None")), Status.Code.NOT_FOUND);
    assertThat(files(ask(request().setFileByFilename("books.proto")))).isNotEmpty();
  }

  @Test
  void anEmptyRequestIsUnimplemented() {
    assertError(ask(request()), Status.Code.UNIMPLEMENTED);
  }

  @Test
  void theV1AlphaServiceIsServedAsWell() {
    var old =
        dev.gannet.services.reflection.v1alpha.ServerReflectionClient.of(started.channel())
            .serverReflectionInfo();
    try (old) {
      old.send(
          dev.gannet.services.reflection.v1alpha.ServerReflectionRequest.newBuilder()
              .setFileContainingSymbol("grpc.reflection.v1alpha.ServerReflection")
              .build());

      assertThat(old.next().getFileDescriptorResponse().getFileDescriptorProtoList())
          .extracting(ReflectionServiceTest::nameOf)
          .containsExactly("grpc/reflection/v1alpha/reflection.proto");
    }
  }

  @Test
  void oneServiceObjectCannotServeTwoServers() {
    ReflectionService shared = new ReflectionService();
    assertThatThrownBy(
            () -> {
              try (Server first = Server.builder(0).plaintext().add(shared).start();
                  Server second = Server.builder(0).plaintext().add(shared).start()) {
                throw new AssertionError(
                    "both have started: " + first.port() + ", " + second.port());
              }
            })
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("two servers");
  }

  @Test
  void aBuilderWhoseServerCouldNotListenCanBeStartedAgain() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    ServerBuilder builder;
    try (ServerSocket taken = new ServerSocket(0, 1, loopback)) {
      builder =
          Server.builder(new InetSocketAddress(loopback, taken.getLocalPort()))
              .add(new ReflectionService());
      assertThatThrownBy(builder::start).isInstanceOf(IOException.class);
    }
    builder.start().close();
  }

  @Test
  void aServerThatWasRefusedDoesNotTakeTheServiceFromTheOther() throws IOException {
    ReflectionService service = new ReflectionService();
    try (Started first = Started.with(it -> it.add(service))) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> Started.with(it -> it.add(service)))
            .hasMessageContaining("two servers");
      }
      assertThat(first.server().isShutdown()).isFalse();
    }
  }
}
