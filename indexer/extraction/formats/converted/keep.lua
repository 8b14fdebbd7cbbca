-- A filter of pandoc's. It keeps what HTML has no place for: commands that pandoc does not know, with the words in
-- them; sources that are cited; and notes, each behind the block that it belongs to.

function RawInline(raw)
  if raw.format ~= 'html' then
    return pandoc.Str(raw.text)
  end
end

function RawBlock(raw)
  if raw.text:match('^\\%a+%s*$') then -- \maketitle, \newpage
    return {}
  elseif raw.format ~= 'html' then
    return pandoc.Para(pandoc.Str(raw.text))
  end
end

function Cite(cite)
  return cite.content
end

function Pandoc(document)
  local blocks, count = pandoc.Blocks({}), 0
  for _, block in ipairs(document.blocks) do
    local notes = pandoc.Blocks({})
    blocks:insert(block:walk({
      Note = function(note)
        count = count + 1
        local words = pandoc.utils.blocks_to_inlines(note.content)
        notes:insert(pandoc.Para(pandoc.Inlines('[^' .. count .. ']: ') .. words))
        return {}
      end,
    }))
    blocks:extend(notes)
  end
  document.blocks = blocks
  return document
end
