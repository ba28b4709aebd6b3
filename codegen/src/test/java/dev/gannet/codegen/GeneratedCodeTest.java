package dev.gannet.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import dev.gannet.api.BindableService;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Marshaller;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodDescriptor.Idempotency;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.AsyncClient;
import dev.gannet.api.stub.BlockingClient;
import dev.gannet.api.stub.ServiceClient;
import dev.gannet.protobuf.MethodSchema;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What generated code looks like to those who use it. */
final class GeneratedCodeTest {
  private static GeneratedCode code;

  /** A channel that nobody calls over. */
  private record Unused() implements Channel {
    @Override
    public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
      throw new AssertionError(method);
    }

    @Override
    public String authority() {
      return "nowhere";
    }
  }

  @BeforeAll
  static void compile(@TempDir Path folder) {
    code = GeneratedCode.in(folder);
  }

  @Test
  void theCompilerHasNothingToComplainAbout() {
    assertThat(code.complaints()).isEmpty();
  }

  @Test
  void eachKindOfMethodHasItsSignatureInTheService() {
    assertThat(code.signatures("sample.awkward.Everything"))
        .contains(
            "sample.awkward.Object first(sample.awkward.String) throws java.lang.Exception",
            "void second(sample.awkward.Incoming,"
                + "dev.gannet.api.stub.Outgoing<sample.awkward.Outgoing>)"
                + " throws java.lang.Exception",
            "sample.awkward.Channel third(dev.gannet.api.stub.Incoming<sample.awkward.Metadata>)"
                + " throws java.lang.Exception",
            "void fourth(dev.gannet.api.stub.Incoming<sample.awkward.Override>,"
                + "dev.gannet.api.stub.Outgoing<sample.awkward.Exception>)"
                + " throws java.lang.Exception");
  }

  @Test
  void eachKindOfMethodHasItsSignatureInTheClient() {
    assertThat(code.signatures("sample.awkward.EverythingClient"))
        .contains(
            "sample.awkward.Object first(sample.awkward.String)",
            "dev.gannet.api.stub.ServerStreamingCall<sample.awkward.Outgoing>"
                + " second(sample.awkward.Incoming)",
            "dev.gannet.api.stub.ClientStreamingCall<sample.awkward.Metadata,"
                + " sample.awkward.Channel> third()",
            "dev.gannet.api.stub.BidiStreamingCall<sample.awkward.Override,"
                + " sample.awkward.Exception> fourth()");
  }

  @Test
  void eachKindOfMethodHasItsSignatureInTheAsynchronousService() {
    assertThat(code.signatures("sample.golden.GreeterAsync"))
        .contains(
            "java.util.concurrent.CompletionStage<sample.golden.Greeting>"
                + " sayHello(sample.golden.Name) throws java.lang.Exception",
            "java.util.concurrent.Flow$Publisher<sample.golden.Greeting>"
                + " repeatHello(sample.golden.Name) throws java.lang.Exception",
            "java.util.concurrent.CompletionStage<sample.golden.Greeting>"
                + " greetAll(java.util.concurrent.Flow$Publisher<sample.golden.Name>)"
                + " throws java.lang.Exception",
            "java.util.concurrent.Flow$Publisher<sample.golden.Greeting>"
                + " converse(java.util.concurrent.Flow$Publisher<sample.golden.Name>)"
                + " throws java.lang.Exception");
    assertThat(code.bound("sample.golden.GreeterAsync").methods()).hasSize(4);
  }

  @Test
  void eachKindOfMethodHasItsSignatureInTheAsynchronousClient() {
    assertThat(code.signatures("sample.golden.GreeterAsyncClient"))
        .contains(
            "java.util.concurrent.CompletableFuture<sample.golden.Greeting>"
                + " sayHello(sample.golden.Name)",
            "java.util.concurrent.Flow$Publisher<sample.golden.Greeting>"
                + " repeatHello(sample.golden.Name)",
            "java.util.concurrent.CompletableFuture<sample.golden.Greeting>"
                + " greetAll(java.util.concurrent.Flow$Publisher<sample.golden.Name>)",
            "java.util.concurrent.Flow$Publisher<sample.golden.Greeting>"
                + " converse(java.util.concurrent.Flow$Publisher<sample.golden.Name>)");
  }

  @Test
  void eachKindOfMethodHasItsSignatureInTheClientWithObservers() {
    String observer = "dev.gannet.api.stub.StreamObserver<sample.golden.Greeting>";
    String requests = "dev.gannet.api.stub.ClientCallStreamObserver<sample.golden.Name>";

    assertThat(code.signatures("sample.golden.GreeterObserverClient"))
        .contains(
            "void sayHello(sample.golden.Name," + observer + ")",
            "void repeatHello(sample.golden.Name," + observer + ")",
            requests + " greetAll(" + observer + ")",
            requests + " converse(" + observer + ")");
  }

  @Test
  void aFakeClientReturnsItselfForAnyOption() throws ReflectiveOperationException {
    for (String client : List.of("GreeterClient", "GreeterAsyncClient", "GreeterObserverClient")) {
      Object fake = code.fake("sample.golden." + client);
      Method with = ServiceClient.class.getMethod("withDeadline", Duration.class);

      assertThat(with.invoke(fake, Duration.ofSeconds(1))).isSameAs(fake);
    }
  }

  @Test
  void aFakeClientFailsWhereItOverridesNothing() throws ReflectiveOperationException {
    Object fake = code.fake("sample.golden.GreeterClient");
    Class<?> message = code.type("sample.golden.Name");
    Method method = code.type("sample.golden.GreeterClient").getMethod("sayHello", message);
    Object request = message.getMethod("getDefaultInstance").invoke(null);

    assertThatThrownBy(() -> method.invoke(fake, request))
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .isInstanceOfSatisfying(
            StatusException.class,
            e -> assertThat(e.status().code()).isEqualTo(Status.UNIMPLEMENTED.code()))
        .hasMessageContaining("does not override golden.Greeter/SayHello");
  }

  @Test
  void aServiceBindsAllItsMethodsInOrder() {
    assertThat(code.bound("sample.awkward.Everything").serviceName())
        .isEqualTo("awkward.names.Everything");
    assertThat(code.bound("sample.awkward.Everything").methods())
        .extracting(definition -> definition.method().bareMethodName())
        .containsExactly("First", "Second", "Third", "Fourth", "Fifth", "Sixth");
    assertThat(code.bound("sample.awkward.Everything").methods())
        .extracting(definition -> definition.method().type())
        .startsWith(
            MethodType.UNARY,
            MethodType.SERVER_STREAMING,
            MethodType.CLIENT_STREAMING,
            MethodType.BIDI_STREAMING);
  }

  @Test
  void aServiceWithoutMethodsIsGeneratedAsWell() {
    assertThat(code.bound("sample.awkward.Record").methods()).isEmpty();
  }

  @Test
  void aMethodThatIsNotOverriddenIsUnimplemented() throws ReflectiveOperationException {
    BindableService service = code.service("sample.keywords.Keywords");
    Class<?> message = code.type("sample.keywords.KeywordsOuterClass$M");
    Method method = code.type("sample.keywords.Keywords").getMethod("class_", message);
    Object request = message.getMethod("getDefaultInstance").invoke(null);

    assertThatThrownBy(() -> method.invoke(service, request))
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .isInstanceOfSatisfying(
            StatusException.class,
            e -> assertThat(e.status().code()).isEqualTo(Status.UNIMPLEMENTED.code()))
        .hasMessageContaining("keywords.Keywords/Class");
  }

  @Test
  void aClientIsMadeOfAChannelAndOptions() throws ReflectiveOperationException {
    Channel channel = new Unused();
    Class<?> type = code.type("sample.awkward.EverythingClient");
    BlockingClient<?> client =
        (BlockingClient<?>) type.getMethod("of", Channel.class).invoke(null, channel);
    BlockingClient<?> hurried = (BlockingClient<?>) client.withDeadline(Duration.ofSeconds(1));

    assertThat(client.channel()).isSameAs(channel);
    assertThat(client.options()).isSameAs(CallOptions.DEFAULT);
    assertThat(client).asString().startsWith("EverythingCalls[channel=Unused[], options=");
    assertThat(hurried).isInstanceOf(type);
    assertThat(hurried.options().deadlineAfter()).hasValue(Duration.ofSeconds(1));
  }

  @Test
  void reservedNamesGetAnUnderscore() {
    List<String> names = code.methodNames("sample.keywords.Keywords");

    assertThat(names)
        .contains("class_", "new_", "default_", "true_", "yield", "record")
        .contains("bindService_", "channel_", "options_", "with_", "withDeadline_", "of_")
        .contains("toString_", "hashCode_", "equals_", "getClass_", "notify_", "wait_")
        .contains("__", "_1");
    assertThat(code.methodNames("sample.keywords.KeywordsClient"))
        .containsAll(names.stream().filter(name -> !name.equals("bindService")).toList());
  }

  @Test
  void namesThatLaterMethodsOfClientsMayHaveAreReserved() {
    assertThat(code.methodNames("sample.keywords.Keywords"))
        .contains("withRetryPolicy_", "withoutMetadata_", "without_")
        .contains("withdrawMoney", "withoutdated", "withhold", "with2Names");
  }

  @Test
  void laterMethodsOfInterfacesRenameNoRpc() {
    for (Class<?> client : List.of(BlockingClient.class, AsyncClient.class)) {
      assertThat(Arrays.stream(client.getMethods()).map(Method::getName))
          .as("all but these begin with the word with or without")
          .filteredOn(name -> !name.matches("with(out)?([A-Z].*)?"))
          .containsOnly("channel", "options", "response");
    }
    assertThat(Arrays.stream(BindableService.class.getMethods()).map(Method::getName))
        .containsOnly("bindService");
  }

  @Test
  void everyInheritedNameOfAClientIsReserved() {
    assertThat(Arrays.stream(BlockingClient.class.getMethods()).map(Method::getName))
        .allMatch(name -> JavaNames.method(name).equals(name + "_"));
    assertThat(Arrays.stream(AsyncClient.class.getMethods()).map(Method::getName))
        .allMatch(name -> JavaNames.method(name).equals(name + "_"));
    assertThat(Arrays.stream(BindableService.class.getMethods()).map(Method::getName))
        .allMatch(name -> JavaNames.method(name).equals(name + "_"));
    assertThat(Arrays.stream(Object.class.getDeclaredMethods()).map(Method::getName))
        .filteredOn(name -> !name.equals("wait0"))
        .allMatch(name -> JavaNames.method(name).equals(name + "_"));
  }

  @Test
  void camelCaseIsThatOfProtobufItself() {
    assertThat(code.methodNames("sample.keywords.Keywords"))
        .contains("getHTTPStatus2Of", "getV2Info");
  }

  @Test
  void constantsAreInUpperSnakeCase() {
    String methods = "sample.keywords.KeywordsMethods";

    assertThat(code.method(methods, "GET_HTTP_STATUS2OF").bareMethodName())
        .isEqualTo("get_HTTPStatus2of");
    assertThat(code.method(methods, "GET_V2_INFO").bareMethodName()).isEqualTo("GetV2Info");
    assertThat(code.method(methods, "SERVICE_NAME_").bareMethodName()).isEqualTo("ServiceName");
    assertThat(code.method(methods, "__").bareMethodName()).isEqualTo("_");
  }

  @Test
  void typesThatJavaForbidsGetAnUnderscore() {
    assertThat(code.bound("sample.keywords.permits_").serviceName()).isEqualTo("keywords.permits");
  }

  @Test
  void theProtoPackageReplacesAMissingJavaPackage() {
    assertThat(code.signatures("plain.things.PlainThings"))
        .contains(
            "com.google.protobuf.Empty"
                + " take(plain.things.PlainThingsOuterClass$Thing$Part$Piece)"
                + " throws java.lang.Exception",
            "plain.things.PlainThingsOuterClass$Thing swap(sample.elsewhere.Thing)"
                + " throws java.lang.Exception",
            "sample.elsewhere.String ask(sample.elsewhere.Outer$Inner)"
                + " throws java.lang.Exception");
  }

  @Test
  void aFileWithoutAnyPackageGoesToTheUnnamedOne() {
    assertThat(code.bound("Unnamed").methods().get(0).method().fullMethodName())
        .isEqualTo("Unnamed/Ask");
  }

  @Test
  void edition2024NestsMessagesOnlyIfTheFileSaysSo() {
    assertThat(code.signatures("sample.edition.Editions"))
        .contains(
            "sample.edition.EditionThingsProto$Nested ask(sample.edition.Own)"
                + " throws java.lang.Exception");
  }

  @Test
  void edition2026IsUnderstood() {
    assertThat(code.signatures("sample.newest.Newest"))
        .contains(
            "sample.newest.Answer ask(sample.newest.Question) throws java.lang.Exception",
            "void pack(sample.newest.Lazy,dev.gannet.api.stub.Outgoing<sample.newest.Supplier>)"
                + " throws java.lang.Exception");
  }

  @Test
  void methodsHaveTheIdempotencyOfTheFile() {
    assertThat(code.method("sample.edition.EditionsMethods", "ASK").idempotency())
        .isEqualTo(Idempotency.IDEMPOTENT);
    assertThat(code.method("sample.edition.EditionsMethods", "PACK").idempotency())
        .isEqualTo(Idempotency.NO_SIDE_EFFECTS);
    assertThat(code.method("sample.awkward.EverythingMethods", "FIRST").idempotency())
        .isEqualTo(Idempotency.UNKNOWN);
  }

  @Test
  void theSchemaOfAMethodRefersToItsDefinition() {
    MethodDescriptor<?, ?> method = code.method("plain.things.PlainThingsMethods", "SWAP");
    MethodSchema schema = MethodSchema.of(method).orElseThrow();

    assertThat(schema.method().getFullName()).isEqualTo("plain.things.PlainThings.Swap");
    assertThat(schema.service().getFile().getName()).isEqualTo("plain_things.proto");
  }

  @Test
  void messagesAreParsedAsTheirOwnType() {
    MethodDescriptor<?, ?> method = code.method("sample.awkward.PingerMethods", "PING");

    assertThat(method.requestMarshaller().parse(ByteBuffer.allocate(0)))
        .isInstanceOf(Message.class)
        .isInstanceOf(code.type("sample.awkward.PING"));
  }

  @Test
  void everyMarshallerHasTheTypeOfItsMessage() {
    for (String service : List.of("sample.awkward.Everything", "sample.newest.Newest")) {
      for (ServerMethodDefinition<?, ?> definition : code.bound(service).methods()) {
        MethodDescriptor<?, ?> method = definition.method();
        MethodSchema schema = MethodSchema.of(method).orElseThrow();
        assertThat(typeOf(method.requestMarshaller()))
            .isEqualTo(schema.method().getInputType().getFullName());
        assertThat(typeOf(method.responseMarshaller()))
            .isEqualTo(schema.method().getOutputType().getFullName());
      }
    }
  }

  private static String typeOf(Marshaller<?> marshaller) {
    return ((Message) marshaller.parse(ByteBuffer.allocate(0)))
        .getDescriptorForType()
        .getFullName();
  }

  @Test
  void deprecationsInTheFileAreDeprecationsInJava() throws ReflectiveOperationException {
    assertThat(code.type("sample.deprecated.WhollyDeprecated")).hasAnnotation(Deprecated.class);
    assertThat(code.type("sample.deprecated.WhollyDeprecatedClient"))
        .hasAnnotation(Deprecated.class);
    assertThat(code.type("sample.deprecated.PartlyDeprecated").getAnnotations()).isEmpty();
    Class<?> client = code.type("sample.deprecated.PartlyDeprecatedClient");
    Class<?> message = code.type("sample.deprecated.M");
    assertThat(client.getMethod("old", message).isAnnotationPresent(Deprecated.class)).isTrue();
    assertThat(client.getMethod("fresh", message).isAnnotationPresent(Deprecated.class)).isFalse();
  }
}
