package encode_test

import (
	"bytes"
	"compress/gzip"
	"image"
	"image/color"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/gen2brain/avif"
	"github.com/gen2brain/webp"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	goldenwebp "golang.org/x/image/webp"

	"vitrine/internal/image/encode"
)

// picture returns a smooth image with some noise, as a photograph and as a drawing that is transparent on the left.
func picture(width, height int) (photo *image.YCbCr, drawing *image.NRGBA) {
	photo = image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio420)
	drawing = image.NewNRGBA(photo.Rect)
	noise := uint32(1)
	for y := range height {
		for x := range width {
			noise = noise*1664525 + 1013904223
			c := color.NRGBA{uint8(255 * x / width), uint8(255 * y / height), 100 + uint8(noise>>27), uint8(min(255, 2*255*x/width))}
			drawing.SetNRGBA(x, y, c)
			light, blue, red := color.RGBToYCbCr(c.R, c.G, c.B)
			photo.Y[photo.YOffset(x, y)], photo.Cb[photo.COffset(x, y)], photo.Cr[photo.COffset(x, y)] = light, blue, red
		}
	}
	return photo, drawing
}

// encoders returns all encoders of this package, each with a picture to encode.
func encoders(width, height int) map[string]func() ([]byte, error) {
	photo, drawing := picture(width, height)
	return map[string]func() ([]byte, error){
		"WebP":          func() ([]byte, error) { return encode.WebP(photo) },
		"lossless WebP": func() ([]byte, error) { return encode.LosslessWebP(drawing) },
		"AVIF":          func() ([]byte, error) { return encode.AVIF(photo) },
	}
}

// The bytes are the same on every machine and for any number of concurrent encodings. If they change, change the
// version in internal/image/file too.
func TestSameBytesEverywhere(t *testing.T) {
	t.Parallel()
	want := map[string]uint64{"WebP": 0x569487277b5d3332, "lossless WebP": 0xd4768609f5250a4d, "AVIF": 0x3a85af287831a1ad}
	all := encoders(150, 101)
	var group sync.WaitGroup
	for range 3 {
		for name, write := range all {
			group.Go(func() {
				data, err := write()
				if got := xxhash.Sum64(data); err != nil || got != want[name] {
					t.Errorf("%s: got %#x, %v; want %#x", name, got, err, want[name])
				}
			})
		}
	}
	group.Wait()
}

// The encoders never use the system's libraries, even if they are installed.
func TestNoLibraryOfTheSystem(t *testing.T) {
	for name, err := range map[string]error{"libwebp": webp.Dynamic(), "libavif": avif.Dynamic()} {
		if err == nil || !strings.Contains(err.Error(), "system libraries are disabled") && !strings.Contains(err.Error(), "dynamic disabled") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// The compiled encoders produce the same bytes as the interpreter, which runs on processors that the compiler doesn't
// support.
func TestCompiledAndInterpreted(t *testing.T) {
	t.Parallel()
	width, height := 36, 27
	photo, drawing := picture(width, height)
	opaque := image.NewRGBA(photo.Rect)
	for y := range height {
		for x := range width {
			opaque.Set(x, y, photo.At(x, y))
		}
	}
	all := encoders(width, height)
	for _, c := range []struct {
		name, module, file string
		pixels             []byte
		numbers            []uint64
	}{
		// The settings are quality 75, method 2, and lossless.
		{"lossless WebP", "github.com/gen2brain/webp", "lib/webp.wasm.gz", drawing.Pix, []uint64{0, 75, 2, 1, 0}},
		// The settings are the qualities of colors and of alpha, the speed, and 4:2:0 subsampling.
		{"AVIF", "github.com/gen2brain/avif", "lib/encode.wasm.gz", opaque.Pix, []uint64{65, 65, 10, 3}},
	} {
		program := unpacked(t, c.module, c.file)
		want, err := all[c.name]()
		if err != nil {
			t.Fatal(err)
		}
		for how, config := range map[string]wazero.RuntimeConfig{"compiled": wazero.NewRuntimeConfig(), "interpreted": wazero.NewRuntimeConfigInterpreter()} {
			if got := run(t, config, program, c.pixels, width, height, c.numbers); !bytes.Equal(got, want) {
				t.Errorf("%s, %s: %d bytes are not the %d of this package", c.name, how, len(got), len(want))
			}
		}
	}
	// The lossy encoder is in the same program, and is the only encoder that uses floating point.
	program := unpacked(t, "github.com/gen2brain/webp", "lib/webp.wasm.gz")
	lossy := []uint64{0, 82, 2, 0, 0}
	compiled := run(t, wazero.NewRuntimeConfig(), program, drawing.Pix, width, height, lossy)
	if interpreted := run(t, wazero.NewRuntimeConfigInterpreter(), program, drawing.Pix, width, height, lossy); !bytes.Equal(compiled, interpreted) || len(compiled) < 100 {
		t.Errorf("a lossy WebP has %d bytes and %d, which differ", len(compiled), len(interpreted))
	}
}

// unpacked returns the decompressed WebAssembly program in a file of a Go module.
func unpacked(t *testing.T, module, file string) []byte {
	t.Helper()
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packed, err := os.Open(filepath.Join(strings.TrimSpace(string(dir)), file))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	r, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	program, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// run encodes pixels with a WebAssembly program. numbers are the encoder's settings.
func run(t *testing.T, config wazero.RuntimeConfig, program, pixels []byte, width, height int, numbers []uint64) []byte {
	t.Helper()
	ctx := t.Context()
	runtime := wazero.NewRuntimeWithConfig(ctx, config)
	defer runtime.Close(ctx)
	wasi_snapshot_preview1.MustInstantiate(ctx, runtime)
	m, err := runtime.Instantiate(ctx, program)
	if err != nil {
		t.Fatal(err)
	}
	call := func(name string, arguments ...uint64) uint32 {
		t.Helper()
		results, err := m.ExportedFunction(name).Call(ctx, arguments...)
		if err != nil {
			t.Fatal(err)
		}
		return uint32(results[0])
	}
	in := call("malloc", uint64(len(pixels)))
	size := call("malloc", 8)
	if !m.Memory().Write(in, pixels) {
		t.Fatal("the pixels have no room")
	}
	out := call("encode", append([]uint64{uint64(in), uint64(width), uint64(height), uint64(size)}, numbers...)...)
	length, _ := m.Memory().ReadUint32Le(size)
	data, ok := m.Memory().Read(out, length)
	if !ok || length == 0 {
		t.Fatal("nothing was written")
	}
	return bytes.Clone(data)
}

// The lossy encoders preserve the colors of each type of decoded photograph, and lossless WebP also preserves alpha.
func TestColors(t *testing.T) {
	t.Parallel()
	want := color.NRGBA{200, 100, 50, 255}
	photo := image.NewYCbCr(image.Rect(0, 0, 61, 41), image.YCbCrSubsampleRatio420)
	gray, full := image.NewGray(photo.Rect), image.NewRGBA(photo.Rect)
	light, blue, red := color.RGBToYCbCr(want.R, want.G, want.B)
	for i := range photo.Y {
		photo.Y[i], gray.Pix[i] = light, 250
		copy(full.Pix[4*i:], []byte{want.R, want.G, want.B, want.A})
	}
	for i := range photo.Cb {
		photo.Cb[i], photo.Cr[i] = blue, red
	}
	for name, c := range map[string]struct {
		m    image.Image
		want color.NRGBA
	}{"colors of JPEG": {photo, want}, "gray": {gray, color.NRGBA{250, 250, 250, 255}}, "red, green and blue": {full, want}} {
		data, err := encode.WebP(c.m)
		if err != nil {
			t.Fatal(err)
		}
		got := decoded(t, data).(*image.YCbCr)
		// This decoder treats video-range levels as JPEG's full-range levels.
		light := float64(got.Y[20*got.YStride+30])
		expected, _, _ := color.RGBToYCbCr(c.want.R, c.want.G, c.want.B)
		if distance := (light-16)*255/219 - float64(expected); distance > 3 || distance < -3 {
			t.Errorf("%s: brightness %v, %v too much", name, light, distance)
		}
		written, err := encode.AVIF(c.m)
		if err != nil {
			t.Fatal(err)
		}
		m, err := avif.Decode(bytes.NewReader(written))
		if err != nil {
			t.Fatal(err)
		}
		if r, g, b, _ := m.At(30, 20).RGBA(); far(r, c.want.R) || far(g, c.want.G) || far(b, c.want.B) {
			t.Errorf("%s: the AVIF has %v", name, m.At(30, 20))
		}
	}
	_, drawing := picture(61, 41)
	data, err := encode.LosslessWebP(drawing)
	if err != nil {
		t.Fatal(err)
	}
	got := decoded(t, data)
	for y := range 41 {
		for x := range 61 {
			if c := drawing.NRGBAAt(x, y); c.A > 0 && got.At(x, y) != c {
				t.Fatalf("at %d, %d: got %v, want %v", x, y, got.At(x, y), c)
			}
		}
	}
}

func far(got uint32, want uint8) bool { return int(got>>8)-int(want) > 6 || int(want)-int(got>>8) > 6 }

func decoded(t *testing.T, data []byte) image.Image {
	t.Helper()
	m, err := goldenwebp.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}
